/** The DOM id of an option of the palette, for the search field's aria-activedescendant. */
export const optionId = (index: number): string => `palette-option-${index}`
