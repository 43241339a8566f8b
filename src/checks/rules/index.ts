/** Every rule, in catalogue order. */

import type { Rule } from '../rule.ts';
import { asyncDoubleFree } from './async-double-free.ts';
import { asyncFreeBeforeAlloc } from './async-free-before-alloc.ts';
import { asyncFreeForeign } from './async-free-foreign.ts';
import { asyncHostFreeUnsynchronised } from './async-host-free-unsynchronised.ts';
import { asyncImportPoolAlloc } from './async-import-pool-alloc.ts';
import { asyncLeak } from './async-leak.ts';
import { asyncPointerQueryAfterFree } from './async-pointer-query-after-free.ts';
import { asyncPoolDestroyed } from './async-pool-destroyed.ts';
import { asyncPoolDeviceMismatch } from './async-pool-device-mismatch.ts';
import { asyncUseAfterFree } from './async-use-after-free.ts';
import { asyncUseBeforeAlloc } from './async-use-before-alloc.ts';
import { asyncUseFreeRace } from './async-use-free-race.ts';
import { bakedHostPointerDead } from './baked-host-pointer-dead.ts';
import { captureAlreadyActive } from './capture-already-active.ts';
import { captureBeginLegacy } from './capture-begin-legacy.ts';
import { captureEndMismatch } from './capture-end-mismatch.ts';
import { captureEventUsedAfterCapture } from './capture-event-used-after-capture.ts';
import { captureFreeOfUncaptured } from './capture-free-of-uncaptured.ts';
import { captureHandleDestroyed } from './capture-handle-destroyed.ts';
import { captureLegacyStreamUse } from './capture-legacy-stream-use.ts';
import { captureMerge } from './capture-merge.ts';
import { captureModeNotRestored } from './capture-mode-not-restored.ts';
import { captureSyncOrQuery } from './capture-sync-or-query.ts';
import { captureUnjoined } from './capture-unjoined.ts';
import { captureUnsafeCall } from './capture-unsafe-call.ts';
import { captureWaitOnUncapturedEvent } from './capture-wait-on-uncaptured-event.ts';
import { captureWorkEscapes } from './capture-work-escapes.ts';
import { captureWrongThread } from './capture-wrong-thread.ts';
import { conditionalBodyMemNode } from './conditional-body-mem-node.ts';
import { copyOutOfRange } from './copy-out-of-range.ts';
import { deviceGetsHostPointer } from './device-gets-host-pointer.ts';
import { deviceLaunchMemNode } from './device-launch-mem-node.ts';
import { eventRecordedTooEarly } from './event-recorded-too-early.ts';
import { eventStreamDeviceMismatch } from './event-stream-device-mismatch.ts';
import { graphAccessOutOfRange } from './graph-access-out-of-range.ts';
import { graphAllocParamsInvalid } from './graph-alloc-params-invalid.ts';
import { graphConflictingAccess } from './graph-conflicting-access.ts';
import { graphCrossGraphDependency } from './graph-cross-graph-dependency.ts';
import { graphCycle } from './graph-cycle.ts';
import { graphDoubleFreeNode } from './graph-double-free-node.ts';
import { graphDptrReadBeforeAdd } from './graph-dptr-read-before-add.ts';
import { graphDuplicateDependency } from './graph-duplicate-dependency.ts';
import { graphEditedAfterInstantiate } from './graph-edited-after-instantiate.ts';
import { graphFreeBeforeAlloc } from './graph-free-before-alloc.ts';
import { graphFreeForeignPointer } from './graph-free-foreign-pointer.ts';
import { graphFreeInTwoGraphs } from './graph-free-in-two-graphs.ts';
import { graphHostNodeCudaCall } from './graph-host-node-cuda-call.ts';
import { graphProgrammaticEdgeNoMemoryOrder } from './graph-programmatic-edge-no-memory-order.ts';
import { graphUseAfterFree } from './graph-use-after-free.ts';
import { graphUseBeforeAlloc } from './graph-use-before-alloc.ts';
import { graphUseFreeRace } from './graph-use-free-race.ts';
import { handleUseAfterDestroy } from './handle-use-after-destroy.ts';
import { hostBufferFreedInFlight } from './host-buffer-freed-in-flight.ts';
import { hostBufferUsedBeforeSync } from './host-buffer-used-before-sync.ts';
import { hostDereferencesDevice } from './host-dereferences-device.ts';
import { launchInvalidExec } from './launch-invalid-exec.ts';
import { mallocDoubleFree } from './malloc-double-free.ts';
import { mallocInteriorFree } from './malloc-interior-free.ts';
import { mallocMismatchedFree } from './malloc-mismatched-free.ts';
import { mallocUseAfterFree } from './malloc-use-after-free.ts';
import { managedHostAccessRace } from './managed-host-access-race.ts';
import { memGraphChildByClone } from './mem-graph-child-by-clone.ts';
import { memGraphClone } from './mem-graph-clone.ts';
import { memGraphDestroyNode } from './mem-graph-destroy-node.ts';
import { memGraphRemoveEdge } from './mem-graph-remove-edge.ts';
import { memNodeSetEnabled } from './mem-node-set-enabled.ts';
import { memNodeSetParams } from './mem-node-set-params.ts';
import { memcpyKindMismatch } from './memcpy-kind-mismatch.ts';
import { movedChildMisuse } from './moved-child-misuse.ts';
import { nullHandle } from './null-handle.ts';
import { peerAccessNotRequested } from './peer-access-not-requested.ts';
import { peerPoolAccessAfterCapture } from './peer-pool-access-after-capture.ts';
import { perfLaunchStreamSwitch } from './perf-launch-stream-switch.ts';
import { perfMissedVaReuse } from './perf-missed-va-reuse.ts';
import { perfUploadStreamMismatch } from './perf-upload-stream-mismatch.ts';
import { pointerOverwritten } from './pointer-overwritten.ts';
import { relaunchWithLiveAllocation } from './relaunch-with-live-allocation.ts';
import { secondExecOfMemGraph } from './second-exec-of-mem-graph.ts';
import { streamConflictingAccess } from './stream-conflicting-access.ts';
import { uploadFlagWithoutParams } from './upload-flag-without-params.ts';
import { useAfterDeviceReset } from './use-after-device-reset.ts';
import { xgraphAllocLeak } from './xgraph-alloc-leak.ts';
import { xgraphDoubleFree } from './xgraph-double-free.ts';
import { xgraphExternalFreeOfInternal } from './xgraph-external-free-of-internal.ts';
import { xgraphExternalUseOfInternal } from './xgraph-external-use-of-internal.ts';
import { xgraphFreeBeforeAlloc } from './xgraph-free-before-alloc.ts';
import { xgraphHostFreeUnsynchronised } from './xgraph-host-free-unsynchronised.ts';
import { xgraphUseAfterFree } from './xgraph-use-after-free.ts';
import { xgraphUseFreeRace } from './xgraph-use-free-race.ts';
import { xgraphUseUnorderedWithAlloc } from './xgraph-use-unordered-with-alloc.ts';
import { xgraphUseWithoutLaunch } from './xgraph-use-without-launch.ts';

export const rules: readonly Rule[] = [
  graphUseBeforeAlloc,
  graphUseAfterFree,
  graphUseFreeRace,
  graphDptrReadBeforeAdd,
  graphFreeBeforeAlloc,
  graphDoubleFreeNode,
  graphAllocParamsInvalid,
  graphFreeForeignPointer,
  graphFreeInTwoGraphs,
  graphCrossGraphDependency,
  graphDuplicateDependency,
  graphCycle,
  graphProgrammaticEdgeNoMemoryOrder,
  graphConflictingAccess,
  graphAccessOutOfRange,
  graphHostNodeCudaCall,
  xgraphUseWithoutLaunch,
  xgraphUseUnorderedWithAlloc,
  xgraphUseAfterFree,
  xgraphUseFreeRace,
  xgraphFreeBeforeAlloc,
  xgraphDoubleFree,
  xgraphExternalFreeOfInternal,
  xgraphExternalUseOfInternal,
  xgraphAllocLeak,
  xgraphHostFreeUnsynchronised,
  bakedHostPointerDead,
  handleUseAfterDestroy,
  nullHandle,
  eventStreamDeviceMismatch,
  eventRecordedTooEarly,
  streamConflictingAccess,
  captureUnsafeCall,
  captureSyncOrQuery,
  captureLegacyStreamUse,
  captureWorkEscapes,
  captureBeginLegacy,
  captureAlreadyActive,
  captureEndMismatch,
  captureUnjoined,
  captureWaitOnUncapturedEvent,
  captureWrongThread,
  captureMerge,
  captureEventUsedAfterCapture,
  captureFreeOfUncaptured,
  captureModeNotRestored,
  captureHandleDestroyed,
  relaunchWithLiveAllocation,
  uploadFlagWithoutParams,
  graphEditedAfterInstantiate,
  secondExecOfMemGraph,
  launchInvalidExec,
  memNodeSetParams,
  memNodeSetEnabled,
  memGraphClone,
  memGraphChildByClone,
  memGraphDestroyNode,
  memGraphRemoveEdge,
  movedChildMisuse,
  conditionalBodyMemNode,
  deviceLaunchMemNode,
  peerAccessNotRequested,
  peerPoolAccessAfterCapture,
  perfLaunchStreamSwitch,
  perfUploadStreamMismatch,
  perfMissedVaReuse,
  asyncUseBeforeAlloc,
  asyncUseAfterFree,
  asyncUseFreeRace,
  asyncFreeBeforeAlloc,
  asyncDoubleFree,
  asyncHostFreeUnsynchronised,
  asyncLeak,
  asyncPointerQueryAfterFree,
  asyncFreeForeign,
  asyncPoolDestroyed,
  asyncPoolDeviceMismatch,
  asyncImportPoolAlloc,
  mallocDoubleFree,
  mallocUseAfterFree,
  mallocMismatchedFree,
  mallocInteriorFree,
  copyOutOfRange,
  memcpyKindMismatch,
  hostBufferFreedInFlight,
  hostBufferUsedBeforeSync,
  hostDereferencesDevice,
  managedHostAccessRace,
  deviceGetsHostPointer,
  pointerOverwritten,
  useAfterDeviceReset,
];
