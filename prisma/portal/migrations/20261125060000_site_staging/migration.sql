-- AlterTable
ALTER TABLE "Site" ADD COLUMN "staging" TEXT NOT NULL DEFAULT '';
