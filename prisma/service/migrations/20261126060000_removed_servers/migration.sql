-- AlterTable
ALTER TABLE "Machine" ADD COLUMN "removedAt" DATETIME;
