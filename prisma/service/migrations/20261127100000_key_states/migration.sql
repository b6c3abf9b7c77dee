-- AlterTable
ALTER TABLE "KeyCanary" ADD COLUMN "state" TEXT NOT NULL DEFAULT 'active';
