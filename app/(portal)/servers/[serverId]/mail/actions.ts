'use server'

import { mail } from '@/lib/contract/operations/mail'
import { deleteCountedAction } from '@/lib/portal/delete-counted'

export const deleteMessages = deleteCountedAction(mail.delete)
