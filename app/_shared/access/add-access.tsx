'use client'

import { KeyRound } from 'lucide-react'
import { DialogButton } from '../dialogs/dialog-button'
import { AccessDialog } from './access-dialog'
import type { AccessPlace, HolderChoice } from './draft'

type AddAccessProps = { holders: readonly HolderChoice[]; place?: AccessPlace; labels: readonly string[] }

export const AddAccess = (given: AddAccessProps) => (
  <DialogButton icon={KeyRound} label="Add access" dialog={(ways) => <AccessDialog {...given} {...ways} />} />
)
