-- AlterTable
ALTER TABLE "Finding" ADD COLUMN "code" TEXT;
