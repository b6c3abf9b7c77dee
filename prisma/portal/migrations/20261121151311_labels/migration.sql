-- CreateTable
CREATE TABLE "Label" (
    "teamId" TEXT NOT NULL,
    "subjectKind" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("subjectKind", "subjectId", "name"),
    CONSTRAINT "Label_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "Server" ADD COLUMN "address" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "Label_teamId_subjectKind_idx" ON "Label"("teamId", "subjectKind");

-- CreateIndex
CREATE INDEX "ServerOnConnection_connectionId_idx" ON "ServerOnConnection"("connectionId");
