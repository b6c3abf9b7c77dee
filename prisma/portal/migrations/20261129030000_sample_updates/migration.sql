-- AlterTable
ALTER TABLE "Sample" ADD COLUMN "updates" INTEGER;
