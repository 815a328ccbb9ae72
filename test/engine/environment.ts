import '../../tools/engine/environment';
