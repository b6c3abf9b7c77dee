/** Forgets what the portal remembers on the process itself, as a restart would. */

const remembered = [
  'gatehouseUnsettled',
  'gatehouseListings',
  'gatehouseStored',
  'gatehouseListingProblems',
  'gatehouseKnownProblems',
  'gatehouseDenied',
  'gatehouseSubmissions',
  'gatehouseRelays',
  'gatehouseLease',
  'gatehouseJobBus',
  'gatehouseHolds',
  'gatehouseOpenStreams',
]

export function forgetProcess(): void {
  for (const name of remembered) Reflect.deleteProperty(globalThis, name)
}
