'use server'

import { mail } from '@/lib/contract/operations/mail'
import { deleteCountedAction } from '@/lib/portal/subjects/counted/delete-counted'

export const deleteMessages = deleteCountedAction(mail.delete)
