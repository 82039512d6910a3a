"""The device's side of adb: packets, streams, services (AOSP: `packages/modules/adb/protocol.txt`, `SERVICES.TXT`,
`SYNC.TXT`)."""
