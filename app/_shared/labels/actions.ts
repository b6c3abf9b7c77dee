'use server'

import { labelsAction } from '@/lib/portal/subjects/labels/action'

export const changeServerLabels = labelsAction('server')

export const changeSiteLabels = labelsAction('site')
