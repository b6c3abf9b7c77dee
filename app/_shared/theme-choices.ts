export const themeChoices = [
  { value: 'system', word: 'System' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
] as const
