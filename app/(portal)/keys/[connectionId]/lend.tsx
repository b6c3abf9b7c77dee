'use client'

import { HandHelping } from 'lucide-react'
import type { HolderChoice } from '../../../_shared/access/draft'
import { DialogButton } from '../../../_shared/dialog-button'
import { LoanDialog } from './loan-dialog'

type LendProps = { connectionId: string; borrowers: readonly HolderChoice[]; labels: readonly string[] }

export const Lend = (given: LendProps) => (
  <DialogButton icon={HandHelping} label="Lend" dialog={(ways) => <LoanDialog {...given} {...ways} />} />
)
