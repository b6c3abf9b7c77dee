'use client'

import { HandHelping } from 'lucide-react'
import { DialogButton } from '@/app/_shared/dialogs/dialog-button'
import type { BorrowerChoice } from './also-access'
import { LoanDialog } from './loan-dialog'

type LendProps = { connectionId: string; borrowers: readonly BorrowerChoice[]; labels: readonly string[] }

export const Lend = (given: LendProps) => (
  <DialogButton icon={HandHelping} label="Lend" dialog={(ways) => <LoanDialog {...given} {...ways} />} />
)
