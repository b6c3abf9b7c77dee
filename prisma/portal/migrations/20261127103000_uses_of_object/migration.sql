-- CreateIndex
CREATE INDEX "AuditRow_teamId_objectId_idx" ON "AuditRow"("teamId", "objectId");
