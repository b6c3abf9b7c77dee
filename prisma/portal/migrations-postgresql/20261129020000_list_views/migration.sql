-- CreateEnum
CREATE TYPE "ListName" AS ENUM ('servers', 'sites');

-- CreateTable
CREATE TABLE "ListView" (
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "list" "ListName" NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ListView_pkey" PRIMARY KEY ("userId","teamId","list","name")
);

-- AddForeignKey
ALTER TABLE "ListView" ADD CONSTRAINT "ListView_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ListView" ADD CONSTRAINT "ListView_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
