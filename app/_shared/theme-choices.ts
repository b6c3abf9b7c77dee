export const themeChoices = [
  { value: 'system', word: 'As the system' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
] as const
