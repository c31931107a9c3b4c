using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Benchmarks.Compare;

/// <summary>What loadtest/ladder.js wrote of one design.</summary>
internal sealed record LadderReport(string Title, string When, string Machine, double? Rest, IReadOnlyList<LadderRow> Rows);

/// <summary>One step of it; times in milliseconds.</summary>
internal sealed record LadderRow(int Asked, double Seconds, long Requests, double Real, double? P50, double? P99, double? Max, double Success, long Dropped, double? Fps)
{
    /// <summary>Right answers a second.</summary>
    [JsonIgnore]
    public double Good => Real * Success;

    /// <summary>Right answers as a part of what was to be asked.</summary>
    [JsonIgnore]
    public double GoodPart => Math.Min(1, Requests * Success / Math.Max(1, Math.Max(Requests + Dropped, Asked * Seconds)));

    /// <summary>Whether all that was to be asked was asked and answered; the last answers of a step may come in the pause behind it.</summary>
    [JsonIgnore]
    public bool IsWhole => Success == 1 && Dropped == 0 && Requests >= 0.98 * Asked * Seconds;
}
