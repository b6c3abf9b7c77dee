/** Lets each field say what is wrong with it and moves to the first that is. */
export function checkForm(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true
  form.querySelector<HTMLElement>(':invalid:not(fieldset)')?.focus()
  return false
}
