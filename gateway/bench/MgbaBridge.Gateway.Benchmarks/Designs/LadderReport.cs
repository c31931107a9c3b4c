using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Benchmarks.Designs;

/// <summary>The report that loadtest/ladder.js wrote for one design.</summary>
internal sealed record LadderReport(string Title, string When, string Machine, double? IdleFps, IReadOnlyList<LadderRow> Rows);

/// <summary>One step of the ladder; times in milliseconds.</summary>
internal sealed record LadderRow(int Scheduled, double Seconds, long Requests, double Rate, double? P50, double? P99, double? Max, double Success, long Dropped, double? Fps)
{
    /// <summary>Correct answers per second.</summary>
    [JsonIgnore]
    public double Correct => Rate * Success;

    /// <summary>Correct answers as a fraction of the scheduled requests.</summary>
    [JsonIgnore]
    public double CorrectPart => Math.Min(1, Requests * Success / Math.Max(1, Math.Max(Requests + Dropped, Scheduled * Seconds)));

    /// <summary>Whether all scheduled requests were sent and answered. The last answers of a step may arrive in the pause after it.</summary>
    [JsonIgnore]
    public bool IsComplete => Success == 1 && Dropped == 0 && Requests >= 0.98 * Scheduled * Seconds;
}
