import { expose } from "comlink";
import { Session } from "./session.js";

expose(new Session());
