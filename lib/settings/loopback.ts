/** The names by which a machine reaches itself, as a URL writes them. */
const names = new Set(['localhost', '127.0.0.1', '[::1]'])

export const isLoopback = ({ hostname }: URL): boolean => names.has(hostname)
