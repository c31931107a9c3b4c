using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What was read, all in one frame.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Reads">In the order of the request.</param>
public readonly record struct ReadsAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    IReadOnlyList<ReadAnswer> Reads)
{
    /// <summary>The answer made from the bytes of all ranges.</summary>
    internal static ReadsAnswer Of(in GatherMemory command, Reply reply)
    {
        var answers = new ReadAnswer[command.Ranges.Count];
        var at = 0;
        for (var index = 0; index < answers.Length; index++)
        {
            var range = command.Ranges[index];
            answers[index] = ReadAnswer.Of(range, reply.Tail.Slice(at, (int)range.Length));
            at += (int)range.Length;
        }

        return new ReadsAnswer(reply.Frame, reply.Epoch, answers);
    }
}
