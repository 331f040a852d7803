export { UsageError } from "../common/usage-error.js";
