/** Lets each field show its error and moves the focus to the first one. */
export function checkForm(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true
  form.querySelector<HTMLElement>(':invalid:not(fieldset)')?.focus()
  return false
}
