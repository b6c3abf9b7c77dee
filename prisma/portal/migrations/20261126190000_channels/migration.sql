-- CreateTable
CREATE TABLE "Channel" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "userId" TEXT,
    "seesAsId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "sealed" BLOB NOT NULL,
    "kekId" TEXT NOT NULL,
    "secretVersion" INTEGER NOT NULL,
    "topics" TEXT NOT NULL,
    "quietFrom" INTEGER,
    "quietTo" INTEGER,
    "digestAt" INTEGER,
    "digestedOn" TEXT NOT NULL DEFAULT '',
    "timeZone" TEXT NOT NULL DEFAULT 'UTC',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "offAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Channel_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Channel_userId_teamId_fkey" FOREIGN KEY ("userId", "teamId") REFERENCES "Membership" ("userId", "teamId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Delivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "channelId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "status" INTEGER,
    "answer" TEXT NOT NULL DEFAULT '',
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dueAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    CONSTRAINT "Delivery_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "Channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "DeliveryItem" (
    "channelId" TEXT NOT NULL,
    "notificationId" TEXT NOT NULL,
    "deliveryId" TEXT,

    PRIMARY KEY ("channelId", "notificationId"),
    CONSTRAINT "DeliveryItem_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "Channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "DeliveryItem_notificationId_fkey" FOREIGN KEY ("notificationId") REFERENCES "Notification" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "DeliveryItem_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "Delivery" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Channel_teamId_idx" ON "Channel"("teamId");

-- CreateIndex
CREATE INDEX "Channel_userId_teamId_idx" ON "Channel"("userId", "teamId");

-- CreateIndex
CREATE INDEX "Channel_seesAsId_idx" ON "Channel"("seesAsId");

-- CreateIndex
CREATE INDEX "Delivery_channelId_createdAt_idx" ON "Delivery"("channelId", "createdAt");

-- CreateIndex
CREATE INDEX "Delivery_state_dueAt_idx" ON "Delivery"("state", "dueAt");

-- CreateIndex
CREATE INDEX "DeliveryItem_deliveryId_idx" ON "DeliveryItem"("deliveryId");

-- CreateIndex
CREATE INDEX "DeliveryItem_notificationId_idx" ON "DeliveryItem"("notificationId");

-- CreateIndex
CREATE INDEX "Notification_onceKey_idx" ON "Notification"("onceKey");

-- CreateIndex
CREATE INDEX "Notification_kind_createdAt_idx" ON "Notification"("kind", "createdAt");

-- CreateIndex
CREATE INDEX "Notification_sentAt_idx" ON "Notification"("sentAt");

-- Nobody had a channel yet, so nothing of these is left to send.
UPDATE "Notification" SET "sentAt" = "createdAt";

-- CreateIndex
CREATE INDEX "Job_operation_startedAt_idx" ON "Job"("operation", "startedAt");
