/** The DOM id of the option at a place of the palette: what the search field points at. */
export const optionId = (index: number): string => `palette-option-${index}`
