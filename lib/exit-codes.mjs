/** How a program ends that only its administrator can help: settings, folders or files are not usable. The units give up after a few of these. */
export const configurationError = 78
