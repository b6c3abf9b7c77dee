'use client'

import { StartButton } from '../../_shared/forms/start-button'
import { askForExport } from './actions'

/** Where the download needs a second person: asks for one, for what the filter shows. */
export const AskForExport = ({ filter, zone }: { filter: string; zone: string }) => (
  <StartButton action={askForExport} target={{ filter, zone }} label="Ask for CSV" variant="outline" onDone={() => {}} />
)
