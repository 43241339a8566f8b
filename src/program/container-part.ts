/** What the part of an object is called that a container of the library is, from which its class derives. */
export const containerPart = '(base)';
