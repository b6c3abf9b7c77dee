export const themeChoices = [
  { value: 'system', word: 'As the system' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
] as const

export type ThemeChoice = (typeof themeChoices)[number]['value']

/** The choice by its stored name; whatever else stands there counts as the system's. */
export const themeOr = (value: string | undefined): ThemeChoice => themeChoices.find((choice) => choice.value === value)?.value ?? 'system'
