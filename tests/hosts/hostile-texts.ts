/** Texts that do damage if they become part of a command, a path or a line of a file. */

/** `mark` is the command that must never run. */
export const hostileTexts = (mark: string): readonly string[] => [
  '\n',
  '\r',
  '\0',
  `'; ${mark}; '`,
  `"; ${mark}; "`,
  `$(${mark})`,
  `\`${mark}\``,
  '-rf',
  '--',
  '../root',
  '\\',
  '*',
  '~',
  '\u0001\u001b[31m',
  'zażółć 🦊',
]
