'use server'

import { ownAction } from '@/lib/portal/spine/guarded-action'
import { markAllRead as all, markRead as one } from '@/lib/portal/views/notifications/list'

export const markRead = ownAction('notifications.markRead', one)

export const markAllRead = ownAction('notifications.markAllRead', all)
