/** Whether a host name means this machine. */
export const isLoopbackName = (name: string): boolean => ['localhost', '127.0.0.1', '::1', '[::1]'].includes(name)

export const isLoopback = ({ hostname }: URL): boolean => isLoopbackName(hostname)
