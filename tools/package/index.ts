export { installPackage, packageDirOf } from './install';
export { buildPackage, PROJECT_DIR, readManifest, type PackageManifest } from './pack';
