/** Prisma's only door in the service. */
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaClient } from '@/prisma/generated/service/client'

/** Opens the service's database file, which has to be prepared already. */
export function openStore(file: string): PrismaClient {
  return new PrismaClient({ adapter: new PrismaLibSql({ url: `file:${file}`, timeout: 5000 }) })
}
