/** The form that starts a batch of changes of one site, one after another, whatever becomes of each. changes: the fields of each. */
export const oneByOne = (operation: string, siteId: string, changes: readonly Readonly<Record<string, string>>[]) => ({
  operation,
  targets: JSON.stringify(changes.map((fields) => ({ id: siteId, fields }))),
  mode: 'goOn',
  atOnce: '1',
})
