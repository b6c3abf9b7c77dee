/** The spine with the hooks of all subjects. Code that runs an operation for a user imports this one. */
import 'server-only'
import { createSpine } from '@/lib/portal/spine/run-operation'
import { findingsHooks } from './findings/outcome'
import { samplesHooks } from './samples/outcome'
import { serversHooks } from './servers/outcome'
import { sitesHooks } from './sites/outcome'

export const { runOperation, performOperation } = createSpine([findingsHooks, samplesHooks, serversHooks, sitesHooks])
