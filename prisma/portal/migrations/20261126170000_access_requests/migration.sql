-- CreateTable
CREATE TABLE "AccessRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "placeKind" TEXT NOT NULL,
    "placeId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "effects" TEXT NOT NULL,
    "root" BOOLEAN NOT NULL DEFAULT false,
    "minutes" INTEGER,
    "why" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "openKey" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" DATETIME NOT NULL,
    "decidedAt" DATETIME,
    "decidedById" TEXT,
    "reason" TEXT NOT NULL DEFAULT '',
    "grantId" TEXT,
    CONSTRAINT "AccessRequest_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AccessRequest_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "AccessRequest_openKey_key" ON "AccessRequest"("openKey");

-- CreateIndex
CREATE INDEX "AccessRequest_teamId_createdAt_idx" ON "AccessRequest"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "AccessRequest_userId_createdAt_idx" ON "AccessRequest"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "AccessRequest_state_expiresAt_idx" ON "AccessRequest"("state", "expiresAt");
