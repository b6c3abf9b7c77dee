-- AlterTable
ALTER TABLE "Sample" ADD COLUMN     "load" DOUBLE PRECISION;
