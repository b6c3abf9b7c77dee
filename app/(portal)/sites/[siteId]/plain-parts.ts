/** Neither an option nor anything that a shell would read otherwise. */
const plain = /^[\w:][\w.:-]*$/

/** Whether these values of a service may be parts of a command that people paste into a shell. */
export const arePlain = (parts: readonly string[]): boolean => parts.every((part) => plain.test(part))
