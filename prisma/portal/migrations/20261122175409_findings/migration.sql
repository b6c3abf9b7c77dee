-- CreateTable
CREATE TABLE "Finding" (
    "serverId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "detail" TEXT NOT NULL,
    "seenAt" DATETIME,

    PRIMARY KEY ("serverId", "kind"),
    CONSTRAINT "Finding_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "Server" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
