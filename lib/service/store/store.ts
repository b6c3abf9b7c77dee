/** The service's store as one value: the database and the keys that open what is sealed in it. */
import type { PrismaClient } from '@/prisma/generated/service/client'
import type { Ring } from './ring'

export type Database = PrismaClient

export type Store = { db: Database; ring: Ring }
