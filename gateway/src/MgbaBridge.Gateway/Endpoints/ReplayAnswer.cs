using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Recording;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>How a replay ended.</summary>
/// <param name="Frame">The script's frame count at the end, where the game goes on.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Same">Whether every hash was the same.</param>
/// <param name="Frames">How many frames ran.</param>
/// <param name="Inputs">How many changes of the keys were made.</param>
/// <param name="Hashes">How many hashes were the same.</param>
/// <param name="Divergence">The first that was another; absent when there is none.</param>
public readonly record struct ReplayAnswer(
    long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, bool Same, long Frames, int Inputs, int Hashes, Divergence? Divergence);
