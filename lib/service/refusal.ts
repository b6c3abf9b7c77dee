/** A command of the service refuses; its message, which ends with a line break, is printed as it is. */
export class Refusal extends Error {}
