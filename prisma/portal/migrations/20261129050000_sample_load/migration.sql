-- AlterTable
ALTER TABLE "Sample" ADD COLUMN "load" REAL;
