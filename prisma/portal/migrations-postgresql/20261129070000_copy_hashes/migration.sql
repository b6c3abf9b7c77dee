-- AlterTable
ALTER TABLE "BackupCopy" ADD COLUMN     "sha256" TEXT NOT NULL DEFAULT '';
