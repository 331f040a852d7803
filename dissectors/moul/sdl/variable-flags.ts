/** Flags before any variable. Source: plSDL/plSDL.h, ContentsFlags. */
export const VariableFlags = { kHasNotificationInfo: 1 << 1 };

/** Flags of a simple variable. Source: plSDL/plSDL.h, ContentsFlags. */
export const SimpleVariableFlags = {
  kHasTimeStamp: 1 << 2,
  kSameAsDefault: 1 << 3,
  kHasDirtyFlag: 1 << 4,
  kWantTimeStamp: 1 << 5,
};
