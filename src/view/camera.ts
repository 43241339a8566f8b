/** The graph pane's camera: zoom and pan as plain numbers, and the rules for where it may go. */

export interface Camera {
  readonly zoom: number;
  readonly panX: number;
  readonly panY: number;
}

export interface Extent {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface View {
  readonly width: number;
  readonly height: number;
}

const smallestZoom = 0.015;
const largestZoom = 4;
/** Below this, labels (13 px at 100 %) can no longer be read. */
const readableZoom = 0.7;
/** Below this, labels are not drawn at all: shapes and colours tell more. */
export const labelZoom = 0.3;
const widestMargin = 28;

/** The whole extent in view, never larger than 100 %. */
export function fitAll(extent: Extent, view: View): Camera {
  const margin = marginOf(view);
  const zoom = clampZoom(
    Math.min(1, (view.width - 2 * margin) / (extent.width || 1), (view.height - 2 * margin) / (extent.height || 1)),
  );
  return centred(extent, view, zoom);
}

/** As `fitAll`, but never so small that labels are unreadable: then the top of the picture is shown, and `cut` is true. */
export function fitReadable(extent: Extent, view: View): Camera & { readonly cut: boolean } {
  const all = fitAll(extent, view);
  if (all.zoom >= readableZoom) return { ...all, cut: false };
  const margin = marginOf(view);
  const camera = centred(extent, view, readableZoom);
  const wide = extent.width * readableZoom > view.width - 2 * margin;
  const tall = extent.height * readableZoom > view.height - 2 * margin;
  return {
    zoom: readableZoom,
    panX: wide ? margin - extent.x * readableZoom : camera.panX,
    panY: tall ? margin - extent.y * readableZoom : camera.panY,
    cut: true,
  };
}

/** Zooms by a factor and keeps the point under `x`,`y` (pane coordinates) where it is. */
export function zoomAt(camera: Camera, factor: number, x: number, y: number): Camera {
  const zoom = clampZoom(camera.zoom * factor);
  const share = zoom / camera.zoom;
  return { zoom, panX: x - (x - camera.panX) * share, panY: y - (y - camera.panY) * share };
}

/** The camera moved as little as possible so that a box of the picture stands in view. */
export function bringIntoView(camera: Camera, view: View, box: Extent): Camera {
  return {
    zoom: camera.zoom,
    panX: shifted(camera.panX, box.x * camera.zoom, box.width * camera.zoom, view.width),
    panY: shifted(camera.panY, box.y * camera.zoom, box.height * camera.zoom, view.height),
  };
}

function shifted(pan: number, start: number, length: number, available: number): number {
  const room = Math.min(widestMargin, available / 8);
  if (length > available - 2 * room) return room - start;
  if (pan + start < room) return room - start;
  if (pan + start + length > available - room) return available - room - start - length;
  return pan;
}

function centred(extent: Extent, view: View, zoom: number): Camera {
  return {
    zoom,
    panX: (view.width - extent.width * zoom) / 2 - extent.x * zoom,
    panY: Math.max(marginOf(view), (view.height - extent.height * zoom) / 2) - extent.y * zoom,
  };
}

function marginOf(view: View): number {
  return Math.min(widestMargin, view.width / 32);
}

function clampZoom(zoom: number): number {
  return Math.max(smallestZoom, Math.min(largestZoom, zoom));
}
